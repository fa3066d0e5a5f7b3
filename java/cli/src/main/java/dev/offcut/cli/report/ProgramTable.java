package dev.offcut.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.offcut.cli.report.Text.Table;
import dev.offcut.cli.source.Jvm;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** The JVMs that run, for people and for other programs. */
public final class ProgramTable {
  private ProgramTable() {}

  /** A row each. */
  public static String text(List<Jvm.Listed> jvms) {
    StringBuilder text = new StringBuilder();
    Table table = new Table().add("PID", "JAVA", "AGENT", "RECORDS");
    for (Jvm.Listed jvm : jvms) {
      String java = jvm.java();
      String agent = jvm.agent();
      table.add(
          String.valueOf(jvm.pid()),
          java == null ? "no answer" : java,
          agent == null ? "-" : agent,
          jvm.records() ? "yes" : "-");
    }
    List<String> rows = table.text().lines().toList();
    int width = rows.stream().mapToInt(String::length).max().orElse(0);
    for (int i = 0; i < rows.size(); i++) {
      String gap = " ".repeat(width - rows.get(i).length() + 2);
      text.append(rows.get(i))
          .append(gap)
          .append(i == 0 ? "PROGRAM" : jvms.get(i - 1).main())
          .append('\n');
    }
    return text.toString();
  }

  /** {@code offcut.ps/1}. */
  public static String json(List<Jvm.Listed> jvms) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("schema", "offcut.ps/1");
      json.writeArrayFieldStart("programs");
      for (Jvm.Listed jvm : jvms) {
        json.writeStartObject();
        json.writeNumberField("pid", jvm.pid());
        json.writeStringField("java", jvm.java());
        json.writeStringField("agent", jvm.agent());
        json.writeBooleanField("records", jvm.records());
        json.writeStringField("main", jvm.main());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return text.toString();
  }
}
