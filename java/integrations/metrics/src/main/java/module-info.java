/**
 * Metrics of handles, pools, owners, budgets and of what the agent counts. What they are read from
 * and exported with is the program's choice: nothing of it must be there but one library to export.
 */
module dev.offcut.metrics {
  requires static org.jspecify;
  requires static dev.offcut.handle;
  requires static dev.offcut.memory;
  requires static micrometer.core;
  requires static io.opentelemetry.api;
  requires static io.opentelemetry.context;
  requires static spring.beans;
  requires static spring.boot;
  requires static spring.boot.actuator;
  requires static spring.boot.actuator.autoconfigure;
  requires static spring.boot.autoconfigure;
  requires static spring.context;
  requires static spring.core;
  requires java.management;

  exports dev.offcut.metrics;

  opens dev.offcut.metrics to
      spring.core;
}
