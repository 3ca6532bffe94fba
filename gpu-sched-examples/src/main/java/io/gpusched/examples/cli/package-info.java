/** The command line. */
@NullMarked
package io.gpusched.examples.cli;

import org.jspecify.annotations.NullMarked;
