/**
 * What the pages of the simulator and of the scheduler process have in common: the map of a cluster, style and scripts; and the page
 * that shows a cluster as it is now. Begin with {@link io.gpusched.pages.LivePage}.
 */
@NullMarked
package io.gpusched.pages;

import org.jspecify.annotations.NullMarked;
