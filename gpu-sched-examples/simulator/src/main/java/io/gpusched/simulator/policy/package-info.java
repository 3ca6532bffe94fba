/** The library's policies by the names that the command line gives them. */
@NullMarked
package io.gpusched.simulator.policy;

import org.jspecify.annotations.NullMarked;
