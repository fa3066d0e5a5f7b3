package dev.offcut.leaks;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.lucene.index.IndexWriterConfig;

/** A web application with a library, which leaves a hook for the JVM's end at each deployment. */
public final class TomcatRedeploy implements ServletContextListener {
  private static final int DEPLOYMENTS = 16;

  private final Thread hook = new Thread(System.out::flush);

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    try (Scratch scratch = Scratch.create()) {
      Path libraries = Files.createDirectories(scratch.path().resolve("WEB-INF/lib"));
      for (Class<?> of : new Class<?>[] {TomcatRedeploy.class, IndexWriterConfig.class}) {
        URI jar = of.getProtectionDomain().getCodeSource().getLocation().toURI();
        Files.copy(Path.of(jar), libraries.resolve(of.getSimpleName() + ".jar"));
      }
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(scratch.path().toString());
      tomcat.start();
      Observer.begin();
      for (int i = 0; i < DEPLOYMENTS; i++) {
        StandardContext app = new StandardContext();
        app.setPath("/app");
        app.setDocBase(scratch.path().toString());
        app.addLifecycleListener(new Tomcat.FixContextListener());
        app.addParameter("form", args[0]);
        app.addApplicationListener(TomcatRedeploy.class.getName());
        tomcat.getHost().addChild(app);
        tomcat.getHost().removeChild(app);
      }
      Observer.end();
      tomcat.stop();
    }
  }

  @Override
  public void contextInitialized(ServletContextEvent event) {
    Runtime.getRuntime().addShutdownHook(hook); // the leak
    event.getServletContext().setAttribute("search", new IndexWriterConfig());
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    if (event.getServletContext().getInitParameter("form").equals("fixed")) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
