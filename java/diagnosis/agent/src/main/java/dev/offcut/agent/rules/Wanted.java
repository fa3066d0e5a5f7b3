package dev.offcut.agent.rules;

import dev.offcut.rules.Rule;
import java.util.List;

/**
 * What the user wants to be counted.
 *
 * @param rules of several for one class the first counts
 * @param ofJars whether rules that jars bring count, too
 * @param off classes of which the rules of jars do not count
 * @param problems what was asked for and is not understood, a sentence each
 * @param byShape whether classes count without a rule if their class files show what they own
 */
public record Wanted(
    List<Rule> rules, boolean ofJars, List<String> off, List<String> problems, boolean byShape) {
  /** Whether nothing is. */
  public boolean isNothing() {
    return rules.isEmpty() && !byShape;
  }
}
