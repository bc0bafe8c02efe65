"""A library serves stock LlamaIndex programs."""

from llama_index.core import VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine

from vectorstore.library import Library
from vectorstore.llamaindex import LibraryEmbedding, LibraryRetriever, vector_store


def test_a_stock_query_engine_answers_from_the_right_paper(seed_library: Library) -> None:
    engine = RetrieverQueryEngine.from_args(LibraryRetriever(seed_library, limit=3), llm=MockLLM())
    response = engine.query("Which algorithm approximates the Rashomon set with less memory?")
    assert "PRAXIS" in response.source_nodes[0].text
    assert "PRAXIS" in str(response)  # the mock repeats what it was shown
    scores = [node.score for node in response.source_nodes]
    assert len(scores) == 3
    assert all(score is not None and 0 <= score <= 1 for score in scores)


def test_a_stock_index_over_the_chroma_collection_finds_the_paper(seed_library: Library) -> None:
    index = VectorStoreIndex.from_vector_store(
        vector_store(seed_library), embed_model=LibraryEmbedding(seed_library.encoder)
    )
    nodes = index.as_retriever(similarity_top_k=2).retrieve("approximating the Rashomon set of sparse decision trees")
    assert "Rashomon" in nodes[0].text


def test_the_embedding_gives_unit_vectors_of_the_librarys_dimension(seed_library: Library) -> None:
    embedding = LibraryEmbedding(seed_library.encoder)
    query, text = embedding.get_query_embedding("trees"), embedding.get_text_embedding("trees")
    assert len(query) == len(text) == seed_library.dimension
    assert abs(sum(a * b for a, b in zip(query, text, strict=True)) - 1) < 1e-3
