/** What the commands that serve a cluster have in common: their options, the client, how they run and stop. */
@NullMarked
package io.gpusched.kubernetes.command;

import org.jspecify.annotations.NullMarked;
