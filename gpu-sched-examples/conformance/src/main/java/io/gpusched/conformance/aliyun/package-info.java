/** Aliyun gpushare's cases. */
@NullMarked
package io.gpusched.conformance.aliyun;

import org.jspecify.annotations.NullMarked;
