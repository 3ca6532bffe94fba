/**
 * What the packages of the library share with each other and with nobody else.
 */
@NullMarked
package io.gpusched.internal.access;

import org.jspecify.annotations.NullMarked;
