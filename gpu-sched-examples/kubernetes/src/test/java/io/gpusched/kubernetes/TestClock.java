package io.gpusched.kubernetes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands until a test lets time pass. */
public final class TestClock extends Clock {
    private volatile Instant now;

    private TestClock(Instant now) {
        this.now = now;
    }

    public static TestClock at(String time) {
        return new TestClock(Instant.parse(time));
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
