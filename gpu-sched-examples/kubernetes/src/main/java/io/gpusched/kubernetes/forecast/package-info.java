/** How long pods say that they run, and when others are told to start. */
@NullMarked
package io.gpusched.kubernetes.forecast;

import org.jspecify.annotations.NullMarked;
