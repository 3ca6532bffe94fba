package io.gpusched.kubernetes.volume;

/**
 * A volume that a CSI driver attaches to nodes: to each at most once, however many pods there use it.
 *
 * @param driver the name of the driver
 * @param handle the driver's name of the volume; of one that is not made yet, the claim that asks for it
 */
public record CsiVolume(String driver, String handle) {}
