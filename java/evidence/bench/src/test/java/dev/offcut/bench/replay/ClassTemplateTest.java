package dev.offcut.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.replay.JdkExample2.ClassTemplate;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import org.junit.jupiter.api.Test;

class ClassTemplateTest {
  @Test
  void number_eachClass_hasItsNameAndMethods() {
    ClassTemplate template = ClassTemplate.withMethods(3);
    for (int number : new int[] {0, 42, 999_999}) {
      ClassModel read = ClassFile.of().parse(template.number(number));
      assertThat(read.thisClass().asInternalName()).isEqualTo(ClassTemplate.name(number));
      assertThat(read.methods()).hasSize(3);
    }
  }
}
