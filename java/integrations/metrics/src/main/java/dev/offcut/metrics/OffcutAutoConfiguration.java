package dev.offcut.metrics;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * What Spring Boot 3 and 4 make of this library by themselves: {@link OffcutMetrics} as a bean,
 * which Boot binds to its registry, and the Actuator endpoint {@code offcut}.
 *
 * <ul>
 *   <li>{@code offcut.metrics.enabled=false}: no bean of the metrics
 *   <li>{@code offcut.metrics.owners}: how many owners have series of their own, 20 if it is not
 *       set
 * </ul>
 */
@AutoConfiguration
public class OffcutAutoConfiguration {
  /** Makes the configuration. Spring calls it. */
  public OffcutAutoConfiguration() {}

  private static int owners(Environment environment) {
    return environment.getProperty("offcut.metrics.owners", Integer.class, Source.OWNERS);
  }

  /** With Micrometer. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  @ConditionalOnProperty(name = "offcut.metrics.enabled", matchIfMissing = true)
  static class WithMicrometer {
    /**
     * The bean is not closed with the context: a registry publishes for the last time when it is
     * closed, and the meters end with it.
     */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    OffcutMetrics offcutMetrics(Environment environment) {
      return new OffcutMetrics(owners(environment));
    }
  }

  /** With the Actuator. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class WithActuator {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = OffcutEndpoint.class)
    OffcutEndpoint offcutEndpoint(Environment environment) {
      return new OffcutEndpoint(owners(environment));
    }
  }
}
