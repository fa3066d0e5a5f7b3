/**
 * Metrics of handles, pools, owners, budgets and of what the agent counts: {@link
 * dev.offcut.metrics.OffcutMetrics} for Micrometer, {@link dev.offcut.metrics.OffcutTelemetry} for
 * OpenTelemetry, {@link dev.offcut.metrics.OffcutAutoConfiguration} for Spring Boot.
 */
@NullMarked
package dev.offcut.metrics;

import org.jspecify.annotations.NullMarked;
