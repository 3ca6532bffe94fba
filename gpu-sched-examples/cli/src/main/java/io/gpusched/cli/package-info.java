/** The command line. */
@NullMarked
package io.gpusched.cli;

import org.jspecify.annotations.NullMarked;
