package io.gpusched.manifests.claim;

import java.util.Optional;

/**
 * A device as the snapshot of its node has it.
 *
 * @param uuid the GPU that it is or is a part of
 * @param resource what it is counted as
 * @param profile the partition that it is; empty if it is the whole GPU, or stands for it
 * @param start where the partition begins
 * @param isCounted whether only the number of such devices is known of the node
 */
record NodeGpu(String uuid, String resource, Optional<String> profile, int start, boolean isCounted) {}
