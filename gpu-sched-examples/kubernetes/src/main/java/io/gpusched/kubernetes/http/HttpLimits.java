package io.gpusched.kubernetes.http;

import java.time.Duration;

/**
 * What clients may cost.
 *
 * @param bodyBytes the longest body; a longer one is answered with 413. In 1..1 GiB
 * @param bodyBytesTogether how much all bodies that have not been answered may hold at one time; beyond it the client is
 *     answered with 503. At least {@code bodyBytes}
 * @param connections how many connections are served at one time; one more is answered with 503. In 1..65,536
 * @param requests how many requests may be under way at one time, whatever connections are open; one more is answered with 503. In
 *     1..65,536
 * @param arrival how long the head of a connection's first request, and then the body of each request, may take to arrive; a
 *     slower body is answered with 408. At least 1 ms
 * @param idle how long a connection is kept without a request. Longer than the client keeps it, or the client may use it
 *     at the moment when it is closed; Go's keeps it for 90 s. At least 1 ms
 * @param threads how many requests are worked at together, in 1..1,024
 */
public record HttpLimits(
        int bodyBytes,
        long bodyBytesTogether,
        int connections,
        int requests,
        Duration arrival,
        Duration idle,
        int threads) {
    /** 4 MiB a body, 128 MiB together, 512 connections and requests, 10 s to arrive, 2 minutes without a request, 4 threads. */
    public static final HttpLimits DEFAULT =
            new HttpLimits(4 << 20, 128L << 20, 512, 512, Duration.ofSeconds(10), Duration.ofMinutes(2), 4);

    private static final int MOST_BODY_BYTES = 1 << 30;
    private static final int MOST_CONNECTIONS = 65_536;
    private static final int MOST_THREADS = 1_024;

    /** Checks the ranges. */
    public HttpLimits {
        inRange("bodyBytes", bodyBytes, MOST_BODY_BYTES);
        inRange("connections", connections, MOST_CONNECTIONS);
        inRange("requests", requests, MOST_CONNECTIONS);
        inRange("threads", threads, MOST_THREADS);
        if (bodyBytesTogether < bodyBytes) {
            throw new IllegalArgumentException("limits: bodyBytesTogether must be at least bodyBytes, " + bodyBytes
                    + ", got " + bodyBytesTogether);
        }
        atLeastOneMillisecond("arrival", arrival);
        atLeastOneMillisecond("idle", idle);
    }

    private static void inRange(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("limits: " + name + " must be in 1.." + most + ", got " + value);
        }
    }

    private static void atLeastOneMillisecond(String name, Duration value) {
        if (value.toMillis() < 1) {
            throw new IllegalArgumentException("limits: " + name + " must be at least 1 ms, got " + value);
        }
    }

    /** Returns these limits with another longest body, and eight times that together where it was less. */
    public HttpLimits withBodyBytes(int value) {
        return new HttpLimits(
                value, Math.max(bodyBytesTogether, 8L * value), connections, requests, arrival, idle, threads);
    }

    /** Returns these limits with another number of connections. */
    public HttpLimits withConnections(int value) {
        return new HttpLimits(bodyBytes, bodyBytesTogether, value, requests, arrival, idle, threads);
    }

    /** Returns these limits with another number of requests under way. */
    public HttpLimits withRequests(int value) {
        return new HttpLimits(bodyBytes, bodyBytesTogether, connections, value, arrival, idle, threads);
    }

    /** Returns these limits with other times for a request to arrive and for a connection to be idle. */
    public HttpLimits withTimes(Duration toArrive, Duration toBeIdle) {
        return new HttpLimits(bodyBytes, bodyBytesTogether, connections, requests, toArrive, toBeIdle, threads);
    }
}
