/** How long pods say that they run, and when others are told to start. */
@NullMarked
package io.gpusched.manifests.forecast;

import org.jspecify.annotations.NullMarked;
