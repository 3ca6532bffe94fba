/** Plays workloads by their own times: arrivals, waiting, departures, nodes that fail and nodes that are drained. */
@NullMarked
package io.gpusched.simulator.replay;

import org.jspecify.annotations.NullMarked;
