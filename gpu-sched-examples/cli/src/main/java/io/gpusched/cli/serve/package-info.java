/** The command {@code serve}: one cluster in memory, asked over HTTP and JSON by programs that are not on the JVM. */
@NullMarked
package io.gpusched.cli.serve;

import org.jspecify.annotations.NullMarked;
