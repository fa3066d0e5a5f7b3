// Prints a page as the build packs it into the command, with {{title}}, {{text}} and {{data}} in it: pages.mjs fills them in.

void main(String[] args) throws IOException {
  String name = args[0].replace(".html", ".page");
  try (InputStream page = dev.offcut.command.Main.class.getResourceAsStream("page/" + name)) {
    page.transferTo(System.out);
  }
}
