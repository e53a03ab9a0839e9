// Examples open in the playground, where it stands beside the book: a link after each command, and on each picture that a command draws.
(async () => {
  const play = new URL("play/", new URL(path_to_root || "./", location.href));
  if (!(await fetch(play, { method: "HEAD" }).catch(() => ({}))).ok) return;

  const link = (line, text) => {
    const anchor = document.createElement("a");
    anchor.href = `${play}#command?${new URLSearchParams({ line })}`;
    anchor.textContent = text;
    anchor.className = "try";
    anchor.setAttribute("aria-label", `Try: crd2idx ${line}`);
    return anchor;
  };

  for (const block of document.querySelectorAll("code.language-console")) {
    // What reads a file or another command has no link.
    const lines = block.textContent.split("\n").filter((line) => /^\$ crd2idx [^|<>]*$/.test(line) && !/\.(json|tile|kernel)\b/.test(line));
    for (const line of lines.reverse()) block.parentElement.after(link(line.slice("$ crd2idx ".length), `try ${line.slice(2, 60)}`));
  }
  const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) {
    const drawn = comments.currentNode.data.match(/^ picture: crd2idx (svg .*?)(?: --theme \w+)?(?: -o \S+)? $/)?.[1];
    const picture = comments.currentNode.nextElementSibling;
    if (drawn && !/\.(json|tile)\b/.test(drawn) && picture?.querySelector("img") && !picture.querySelector("a.try")) picture.append(link(drawn, "open this picture"));
  }
})();
