/** Draws results as one self-contained HTML page. */
@NullMarked
package io.gpusched.simulator.report;

import org.jspecify.annotations.NullMarked;
