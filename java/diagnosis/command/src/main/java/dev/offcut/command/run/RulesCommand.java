package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Sources;
import dev.offcut.command.run.ProgramRun.Left;
import dev.offcut.command.show.RulesText;
import dev.offcut.rules.Rule;
import dev.offcut.rules.Rules;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code offcut rules}. */
@Command(
    name = "rules",
    addMethodSubcommands = false,
    subcommands = RulesCommand.Test.class,
    description =
        "Lists the built-in rules: classes whose objects a program should close, and what closes"
            + " them. With FILE: checks the file, and lists its rules.",
    footer = {"", "Exit codes: 0 success, 1 FILE has a problem."})
public final class RulesCommand extends Word {
  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "A file of rules, or a jar that brings rules.")
  private @Nullable Path file;

  @Option(names = "--json", description = "As JSON, offcut.closeables/1, on stdout.")
  private boolean json;

  public RulesCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() {
    List<String> problems = new ArrayList<>();
    Rules rules = file == null ? Rules.builtIn() : Rules.read(file, problems::add);
    out.print(json ? RulesText.json(rules) : RulesText.of(rules));
    problems.forEach(err::println);
    if (file != null && !json) {
      err.println(RulesText.checked(file, rules, problems.size()));
    }
    return problems.isEmpty() ? ExitCode.OK : Failure.FAILED;
  }

  @Command(
      name = "test",
      addMethodSubcommands = false,
      sortOptions = false,
      description =
          "Runs a Java program with the agent, and shows which of its classes the rules matched,"
              + " which methods were rewritten, and what was not understood.",
      customSynopsis = {"offcut rules test [OPTIONS] -- java …"},
      footer = {
        "",
        "The result goes to stdout, after the output of the program. The command leaves no files.",
        "Exit codes: that of the program, if it is not 0. Otherwise 1 in three cases: no rule"
            + " matched, a rule of yours matched nothing, or the class of a rule is not counted."
            + " 125 to 127 as for `offcut run`."
      })
  static final class Test implements Callable<Integer> {
    @Mixin private final AgentOptions agent = new AgentOptions();

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "This text.")
    @SuppressWarnings("unused") // picocli's
    private boolean help;

    @Parameters(arity = "0..*", hidden = true)
    private List<String> words = List.of();

    @ParentCommand private @Nullable RulesCommand rules;

    @Spec private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws Failure {
      if (words.isEmpty()) {
        throw new ParameterException(
            Objects.requireNonNull(spec).commandLine(),
            "there is no program after --; write: offcut rules test -- java …");
      }
      RulesCommand streams = Objects.requireNonNull(rules);
      ProgramRun.Plan plan =
          new ProgramRun.Plan(
              words, AgentOptions.jar(), options(), null, false, -1, Terminal.hasKeys(), false);
      try (ProgramRun run = new ProgramRun(plan, streams.err, null)) {
        int exitCode = run.run();
        boolean all = tell(run.left(), streams.out);
        return exitCode == 0 && !all ? Failure.FAILED : exitCode;
      } catch (IOException e) {
        throw Failure.of(Child.WRAPPER_FAILED, String.valueOf(e.getMessage()));
      }
    }

    private List<String> options() {
      List<String> options = new ArrayList<>(agent.options(AgentOptions.Level.count));
      if (options.stream().noneMatch(one -> one.startsWith("rules="))) {
        options.add("rules=on");
      }
      return options;
    }

    /** Whether each class that a rule names is counted, in each of the JVMs. */
    private static boolean tell(List<Left> left, PrintStream out) throws Failure {
      if (left.isEmpty()) {
        throw Failure.of(
            Child.WRAPPER_FAILED,
            "the program left no counts; was it a JVM 17 or newer, and did it run for a quarter of a"
                + " second?");
      }
      boolean all = true;
      for (Left one : left) {
        Digest digest = Sources.ofEnded(one.source(), one.outside()).digest();
        out.print(RulesText.matched(digest));
        all &= !digest.watchedClasses().isEmpty();
        all &=
            digest.watchedClasses().stream()
                .allMatch(type -> type.isCounted() || type.from().equals(Rule.BY_SHAPE));
      }
      return all;
    }
  }
}
