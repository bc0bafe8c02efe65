// Runs for the transcript and for the sources: `element` is that part of the page, `watch` tells of its new content.

// Gradio's page resolves "#place" against another address than its own, so that following such a link could reload the
// page. We go there ourselves, also when the address shows the place already but its element is new.
element.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  history.replaceState(history.state, "", location.pathname + location.search);
  location.hash = link.getAttribute("href");
  const place = document.getElementById(location.hash.slice(1));
  place?.closest(".source")?.focus({ preventScroll: true });
});

// a new question goes to the top of the window, and its answer is read from there
let asked = 0;
watch("value", () => {
  const questions = element.querySelectorAll(".question");
  if (questions.length > asked) questions[questions.length - 1].scrollIntoView({ block: "start" });
  asked = questions.length;
});
