package io.gpusched.kubernetes.command;

/**
 * Where a server listens.
 *
 * @param host the address, such as {@code 127.0.0.1} or {@code 0.0.0.0}
 * @param port the port, 0 for any that is free
 */
public record ListenAddress(String host, int port) {}
