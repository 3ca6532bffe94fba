/** Plays workloads against policies and measures what is allocated and what is fragmented. */
@NullMarked
package io.gpusched.simulator;

import org.jspecify.annotations.NullMarked;
