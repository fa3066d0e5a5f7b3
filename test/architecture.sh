#!/bin/sh
# ARCHITECTURE.md and the READMEs of folders against the tree. What the tables of a README name is there, and they name each package.
# ARCHITECTURE.md names each module; each type that it names is there. The page's README names its folders.
#
# test/architecture.sh [ROOT]
set -u
unset CDPATH

root=${1:-$(cd "$(dirname "$0")/.." && pwd -P)}
cd "$root" || exit 1

# What is there: source files, then the build files that make a folder a module.
there() {
  find java go web -name target -prune -o -name node_modules -prune -o -name testdata -prune -o \
    \( -path '*/src/main/*' -o -path 'go/*.go' -o -path 'web/*' -o -name pom.xml -o -name go.mod \) -type f -print | sort
}

# The pages with tables: each begins with the folder that it is about.
pages() {
  echo ARCHITECTURE.md
  find java go -name target -prune -o -name README.md -print | sort
}

# A name of a test that is no more would leave it out in silence.
if [ -e test/all.sh ]; then
  for test in $(sed -n "/^of_each_jdk='/,/'\$/p" test/all.sh | sed "s/of_each_jdk=//" | tr -d "'"); do
    [ -n "$(find java -path '*/src/test/*' -name "$test.java" -print)" ] || { echo "test/all.sh names $test, which is not there" && exit 1; }
  done
fi

there | awk -v pages="$(pages | tr '\n' ' ')" -v webpage=web/README.md '
  # The folder that a heading is about: the sources of a module of Java, or a folder of Go.
  function base(module) {
    return module ~ /^java\// ? roots[module] : module
  }

  # The package that all of a module is in: what the folders with classes have in common.
  function addJava(file,    module, folder) {
    module = file
    sub(/\/src\/main\/.*/, "", module)
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    if (file ~ /\/module-info\.java$/ || file ~ /\/package-info\.java$/) {
      return
    }
    if (!(module in roots)) {
      roots[module] = folder
    }
    while (index(folder "/", roots[module] "/") != 1) {
      sub(/\/[^\/]*$/, "", roots[module])
    }
    folders[folder] = module
  }

  # A name of a table as a pattern for files, which begins with the folder.
  function pattern(name,    text) {
    text = name
    gsub(/[.]/, "[.]", text)
    gsub(/…/, ".*", text)
    gsub(/[*]/, "[^/]*", text)
    gsub(/[.]\[\^\/\]\*/, ".*", text)
    return text
  }

  function complain(what) {
    print "not ok - " what
    failed++
  }

  # A line of a table in the README of a folder: the names of its first cell.
  function names(line,    cell, prefix, name, i, file, hits, wanted) {
    split(line, cells, "|")
    cell = cells[2]
    prefix = ""
    while (match(cell, /`[^`]+`/)) {
      name = substr(cell, RSTART + 1, RLENGTH - 2)
      cell = substr(cell, RSTART + RLENGTH)
      if (name ~ /\//) {
        prefix = name
        sub(/[^\/]*$/, "", prefix)
        sub(/^.*\//, "", name)
      }
      wanted = "^" base(section) "/" prefix pattern(name)
      hits = 0
      for (i = 1; i <= count; i++) {
        file = files[i]
        # A file, a folder with files, or a resource of the module.
        if (file ~ (wanted "([.]java)?$") || file ~ (wanted "/[^/]*$") ||
            (file ~ ("^" section "/src/main/resources/") && file ~ ("/" pattern(name) "$"))) {
          named[file] = 1
          sub(/\/[^\/]*$/, "", file)
          named[file] = 1
          hits++
        }
      }
      checked++
      if (!hits) {
        complain(page ": there is no " prefix name " in " section)
      }
    }
  }

  # The types that a line names are there.
  function types(line,    name, i) {
    while (match(line, /`[A-Z][a-z]+[A-Za-z]*`/)) {
      name = substr(line, RSTART + 1, RLENGTH - 2)
      line = substr(line, RSTART + RLENGTH)
      checked++
      if (!(name in classes)) {
        complain(page ": there is no type " name)
      }
    }
  }

  {
    files[++count] = $0
    if (match($0, /[^\/]+[.]java$/)) {
      classes[substr($0, RSTART, RLENGTH - 5)] = 1
    }
    if ($0 ~ /\/src\/main\/java\/.*[.]java$/) {
      addJava($0)
    }
  }

  END {
    number = split(pages, page_of, " ")
    for (p = 1; p <= number; p++) {
      page = page_of[p]
      section = ""
      while ((getline line < page) > 0) {
        if (page == "ARCHITECTURE.md" || page == "go/README.md") {
          text = text line "\n"
        }
        if (page == "ARCHITECTURE.md") {
          types(line)
        }
        if (line ~ /^#/) {
          section = ""
          if (line ~ /^# `[^`]+`/) {
            section = line
            sub(/^# `/, "", section)
            sub(/`.*/, "", section)
            listed[section] = 1
            if (page != section "/README.md") {
              complain(page ": is about " section)
            }
          }
        } else if (section != "" && line ~ /^\| `/) {
          names(line)
        }
      }
    }
    page = "the pages"
    # A module with several packages has a README whose tables name them, or files of them.
    for (folder in folders) {
      module = folders[folder]
      if (folder == roots[module]) {
        continue
      }
      checked++
      if (!(module in listed)) {
        complain(page ": package " folder " is in no table, since " module " has no README")
      } else if (!(folder in named)) {
        complain(page ": package " folder " is in no table")
      }
    }
    # Modules, and folders of Go with code.
    for (i = 1; i <= count; i++) {
      file = files[i]
      folder = file
      sub(/\/[^\/]*$/, "", folder)
      if (seen[folder]++) {
        continue
      }
      if (file ~ /^java\/.*\/pom[.]xml$/) {
        checked++
        if (index(text, "| `" folder "` |") == 0) {
          complain(page ": module " folder " is in no table")
        }
      } else if (file ~ /^go\/.*[.]go$/ && folder != "go") {
        short = substr(folder, 4)
        last = short
        sub(/.*\//, "", last)
        checked++
        if (!(folder in listed) && index(text, "`" short "`") == 0 && index(text, "`" last "`") == 0) {
          complain(page ": package " folder " is in no table")
        }
      }
    }
    # The page has a table of its own.
    while ((getline line < webpage) > 0) {
      web = web line "\n"
    }
    for (i = 1; i <= count; i++) {
      file = files[i]
      if (file ~ /^web\// && file !~ /^web\/(README[.]md|package[.]json|page[.]css)$/) {
        short = substr(file, 5)
        if (short ~ /\//) {
          sub(/\/[^\/]*$/, "", short)
          sub(/\/data$/, "", short)
        }
        checked++
        if (index(web, "`" short "`") == 0) {
          complain(webpage ": " short " is in no table")
        }
      }
    }
    if (checked < 100) {
      complain("only " checked " names were found: the tables have another form than this test knows")
    }
    print checked - failed " passed, " failed + 0 " failed"
    exit failed > 0
  }'
