// Copying of tables as LaTeX, Markdown and CSV, of signatures and of addresses.
async function copyText(text, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce(`${said} copied`);
}

function startCopying() {
  for (const button of document.querySelectorAll("button.copy")) {
    const title = button.firstChild.textContent;
    button.addEventListener("click", async () => {
      await copyText(document.getElementById(button.dataset.copies).content.textContent, title.replace("Copy as ", ""));
      button.firstChild.textContent = "Copied";
      setTimeout(() => { button.firstChild.textContent = title; }, 1500);
    });
  }
  for (const signature of document.querySelectorAll(".strip .signature")) {
    const copy = () => copyText(signature.textContent, "Signature");
    signature.after(" ", make("button", { type: "button", class: "small", onclick: copy }, "Copy signature"));
  }
}
