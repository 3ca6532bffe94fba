/** Aliyun gpushare's cases. */
@NullMarked
package io.gpusched.examples.conformance.aliyun;

import org.jspecify.annotations.NullMarked;
