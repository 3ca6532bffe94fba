package io.gpusched.kubernetes.faults;

import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of an API server: how often it wrote what, when it dies, and how its clock differs. Thread-safe. */
final class WrittenBy {
    private static final Pattern TIME = Pattern.compile("\"(acquireTime|renewTime)\"\\s*:\\s*\"([^\"]+)\"");
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX");

    /** The name of the test's own client, of which nothing goes wrong. */
    static final String TEST = "test";

    private final String name;
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();
    private int writes;
    private int looks;
    private int diesAfter = Integer.MAX_VALUE;
    private boolean dead;
    private volatile Duration ahead = Duration.ZERO;
    private volatile Predicate<String> cutOff = path -> false;

    WrittenBy(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isTest() {
        return TEST.equals(name);
    }

    /** Lets no request of these paths through from now on; watches end if all paths are cut off. */
    void setCutOff(Predicate<String> paths) {
        cutOff = paths;
    }

    boolean isCutOff(String path) {
        return cutOff.test(path);
    }

    /** Lets it do so many writes more and no more than these, as one that is killed; its Lease is not counted. */
    synchronized void killAfter(int most) {
        diesAfter = writes + most;
        dead = most == 0;
    }

    /** Sets its clock ahead of the server's. */
    void setClockAhead(Duration value) {
        ahead = value;
    }

    synchronized boolean isDead() {
        return dead;
    }

    /** Counts a write; returns whether it lives to do it. */
    synchronized boolean mayWrite(String path) {
        if (dead) {
            return false;
        }
        counts.merge(kind(path), 1, Integer::sum);
        if (!path.contains("/leases")) {
            writes++;
            dead = writes >= diesAfter;
        }
        return true;
    }

    private static String kind(String path) {
        if (path.endsWith("/binding")) {
            return "bindings";
        }
        return path.contains("/events")
                ? "events"
                : path.contains("/leases") ? "leases" : path.contains("/pods/") ? "pods" : "others";
    }

    /** Returns how many writes of a kind it did: bindings, pods, events, leases or others. */
    int count(String kind) {
        return counts.getOrDefault(kind, 0);
    }

    /** Takes note that it was told of the Lease. */
    synchronized void looked() {
        looks++;
    }

    /** Returns how often it was told of the Lease. */
    synchronized int looks() {
        return looks;
    }

    /** Returns how many writes it did but for those of its Lease. */
    synchronized int writes() {
        return writes;
    }

    /** Returns a Lease as it looks to one with its clock. */
    String toItsClock(String lease) {
        return moved(lease, ahead.negated());
    }

    /** Returns a Lease that it wrote as it looks by the server's clock. */
    String toServerClock(String lease) {
        return moved(lease, ahead);
    }

    private static String moved(String lease, Duration by) {
        Matcher time = TIME.matcher(lease);
        StringBuilder moved = new StringBuilder();
        while (time.find()) {
            String later = ZonedDateTime.parse(time.group(2)).plus(by).format(MICROS);
            time.appendReplacement(moved, "\"" + time.group(1) + "\":\"" + later + "\"");
        }
        return time.appendTail(moved).toString();
    }
}
