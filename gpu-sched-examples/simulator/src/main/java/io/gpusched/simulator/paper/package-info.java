/** The policies of "Beware of Fragmentation" (Weng, Yang et al., USENIX ATC 2023) in the exact form of its experiments. */
@NullMarked
package io.gpusched.simulator.paper;

import org.jspecify.annotations.NullMarked;
