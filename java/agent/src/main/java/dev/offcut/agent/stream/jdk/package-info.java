/**
 * What the helpers use of the JDK's own classes, to compile against. In java.base each of these
 * names is replaced by the one of the class it stands for; none of them is ever loaded.
 */
@NullMarked
package dev.offcut.agent.stream.jdk;

import org.jspecify.annotations.NullMarked;
