package dev.offcut.fleet.spark;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Engine;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.analysis.UnresolvedRelation;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.plans.QueryPlan;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A query of a user's that Spark has parsed, and that reads nothing but tables of one name. What is
 * not known to be a part of a query is refused: commands, scripts, {@code TRANSFORM}, tables in
 * files ({@code text.`/etc/passwd`}), and functions that call methods of Java.
 */
final class SafeQuery {
  /** Simple names of the classes of a parsed query's plan. */
  private static final Set<String> PARTS =
      Set.of(
          "Aggregate",
          "CTERelationDef",
          "Distinct",
          "Except",
          "Filter",
          "Generate",
          "GlobalLimit",
          "Intersect",
          "Join",
          "LateralJoin",
          "LocalLimit",
          "LocalRelation",
          "Offset",
          "OneRowRelation",
          "Pivot",
          "Project",
          "Sample",
          "Sort",
          "SubqueryAlias",
          "Union",
          "Unpivot",
          "UnresolvedHaving",
          "UnresolvedHint",
          "UnresolvedInlineTable",
          "UnresolvedRelation",
          "UnresolvedSubqueryColumnAliases",
          "UnresolvedWith",
          "Window",
          "WithWindowDefinition");

  private static final Set<String> CALLS = Set.of("java_method", "reflect", "try_reflect");

  private final Set<QueryPlan<?>> seen = new HashSet<>();

  private SafeQuery() {}

  /** Refuses what is no query, or may read more than tables. */
  static void check(LogicalPlan plan) throws Failure {
    new SafeQuery().plan(plan);
  }

  private void plan(QueryPlan<?> plan) throws Failure {
    if (!seen.add(plan)) {
      return;
    }
    String part = plan.getClass().getSimpleName();
    if (!PARTS.contains(part)
        || (plan instanceof UnresolvedRelation table && table.multipartIdentifier().size() != 1)) {
      throw refused(part);
    }
    for (Object child : CollectionConverters.asJava(plan.children())) {
      plan((QueryPlan<?>) child);
    }
    for (QueryPlan<?> inner : CollectionConverters.asJava(plan.innerChildren())) {
      plan(inner);
    }
    for (Expression expression : CollectionConverters.asJava(plan.expressions())) {
      expression(expression);
    }
  }

  private void expression(Expression expression) throws Failure {
    if (expression instanceof PlanExpression<?> subquery) {
      plan((QueryPlan<?>) subquery.plan());
    }
    if (expression instanceof UnresolvedFunction function) {
      String name = function.nameParts().last().toString().toLowerCase(Locale.ROOT);
      if (CALLS.contains(name)) {
        throw refused(name);
      }
    }
    for (Expression child : CollectionConverters.asJava(expression.children())) {
      expression(child);
    }
  }

  private static Failure refused(String part) {
    return Failure.other(Engine.ONE_QUERY + " (" + part + ")");
  }
}
