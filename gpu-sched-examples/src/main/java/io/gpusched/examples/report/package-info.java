/** Draws results as one self-contained HTML page. */
@NullMarked
package io.gpusched.examples.report;

import org.jspecify.annotations.NullMarked;
