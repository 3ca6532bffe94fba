package io.gpusched.kubernetes.faults;

import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.process.SchedulerProcess;
import org.junit.jupiter.api.Test;

/** The custom resource of groups is installed after the scheduler was started. */
class LaterApisTest {
    @Test
    void groupsOfAnApiThatComesLater_arePlacedWithoutARestart() {
        FaultyApiServer server = new FaultyApiServer(Faults.none());
        server.setUnserved(path -> path.startsWith("/apis/scheduler.tensorstack.dev"));
        try (FaultScene scene = new FaultScene(server)) {
            SchedulerProcess process = scene.start("one");
            Await.until("it has read the cluster", () -> process.view().isListed());

            server.setUnserved(path -> false);
            scene.createPods();
            scene.awaitAllBound();
            scene.check();
        }
    }
}
