package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.Objects;

/**
 * A port of the node that a pod takes. Two pods do not go onto one node if they take the same port of the same protocol on
 * the same address, or on any address ({@value #ANY_ADDRESS}). As in kube-scheduler, {@code ::} is an ordinary address.
 *
 * <p>Immutable and thread-safe.
 *
 * @param port the number, 1..65,535
 * @param protocol the protocol
 * @param ip the address; an empty text becomes {@value #ANY_ADDRESS}
 */
public record HostPort(int port, Protocol protocol, String ip) {
    /** Stands for every address. */
    public static final String ANY_ADDRESS = "0.0.0.0";

    /** Protocols whose ports are counted apart. */
    public enum Protocol {
        /** The default. */
        TCP,
        /** Datagrams. */
        UDP,
        /** Streams of messages. */
        SCTP
    }

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public HostPort {
        Checks.inRange("host port", "port", port, 1, 65_535);
        Objects.requireNonNull(protocol, "protocol");
        ip = Objects.requireNonNull(ip, "ip").isEmpty() ? ANY_ADDRESS : ip;
    }

    /** Returns a TCP port on every address. */
    public static HostPort tcp(int port) {
        return new HostPort(port, Protocol.TCP, ANY_ADDRESS);
    }

    /** Returns whether it is taken on every address. */
    public boolean isOnAnyAddress() {
        return ip.equals(ANY_ADDRESS);
    }

    /** Returns whether two pods cannot take these on one node. */
    public boolean conflictsWith(HostPort other) {
        Objects.requireNonNull(other, "other");
        return port == other.port
                && protocol == other.protocol
                && (isOnAnyAddress() || other.isOnAnyAddress() || ip.equals(other.ip));
    }

    /** Returns for example {@code 8080/TCP} or {@code 53/UDP on 10.0.0.1}. */
    @Override
    public String toString() {
        return port + "/" + protocol + (isOnAnyAddress() ? "" : " on " + ip);
    }
}
