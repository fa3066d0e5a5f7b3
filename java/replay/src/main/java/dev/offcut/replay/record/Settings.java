package dev.offcut.replay.record;

/** The Flight Recorder settings: class loading and nothing else. */
final class Settings {
  static final String CLASS_DEFINE = "jdk.ClassDefine";
  static final String CLASS_UNLOAD = "jdk.ClassUnload";
  static final String LOADER_STATISTICS = "jdk.ClassLoaderStatistics";
  static final String PROPERTY = "jdk.InitialSystemProperty";

  /** As a .jfc file. */
  static final String TEXT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0" label="Offcut replay" provider="Offcut">
        <event name="jdk.ClassDefine">
          <setting name="enabled">true</setting>
          <setting name="stackTrace">false</setting>
        </event>
        <event name="jdk.ClassUnload">
          <setting name="enabled">true</setting>
        </event>
        <event name="jdk.ClassLoaderStatistics">
          <setting name="enabled">true</setting>
          <setting name="period">endChunk</setting>
        </event>
        <event name="jdk.InitialSystemProperty">
          <setting name="enabled">true</setting>
          <setting name="period">beginChunk</setting>
        </event>
      </configuration>
      """;

  private Settings() {}
}
