// Prints a page as the command makes it, with {{title}}, {{text}} and {{data}} still in it: pages.mjs puts them there.

void main(String[] args) {
  IO.print(dev.offcut.cli.page.Page.of(args[0], "{{title}}", "{{text}}", "{{data}}"));
}
