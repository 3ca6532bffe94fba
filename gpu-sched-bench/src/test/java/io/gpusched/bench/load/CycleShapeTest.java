package io.gpusched.bench.load;

import io.gpusched.queue.QueueState;
import io.gpusched.queue.SchedulingCycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CycleShapeTest {
    @ParameterizedTest
    @EnumSource(CycleShape.class)
    void thePlanOfEachShape_isWhatTheShapeIsMeasuredFor(CycleShape shape) {
        QueueState state = shape.state();
        shape.check(SchedulingCycle.create().plan(state, 1_000));
    }
}
