/** Plays workloads against policies and measures what is allocated and what is fragmented. */
@NullMarked
package io.gpusched.examples.simulate;

import org.jspecify.annotations.NullMarked;
