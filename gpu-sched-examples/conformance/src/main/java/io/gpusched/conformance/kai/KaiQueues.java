package io.gpusched.conformance.kai;

import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import java.util.ArrayList;
import java.util.List;

/** The queues of a case. */
final class KaiQueues {
    private static final int DEFAULT_PRIORITY = 100;

    private KaiQueues() {}

    static QueueTree read(VectorCase vector) {
        List<JobQueue> queues = new ArrayList<>();
        for (YamlNode queue : vector.field("queues").list()) {
            JobQueue.Builder builder = JobQueue.builder(queue.need("name").text())
                    .priority(queue.at("priority").integerOr(DEFAULT_PRIORITY))
                    .created(queue.at("createdOrder").numberOr(0))
                    .quota(QueueResource.GPU, quota(queue, "Gpus", 1_000))
                    .quota(QueueResource.named(KaiNodes.SLICES), quota(queue, "Gpus", 1))
                    .quota(QueueResource.CPU, quota(queue, "CpuMillis", 1))
                    .quota(QueueResource.MEMORY, quota(queue, "MemoryBytes", 1));
            queue.at("parent").optional().ifPresent(parent -> builder.parent(parent.text()));
            queues.add(builder.build());
        }
        return QueueTree.of(queues);
    }

    private static Quota quota(YamlNode queue, String what, int scale) {
        boolean gpus = what.equals("Gpus");
        long weight = gpus
                ? Math.round(queue.at("overQuotaWeight")
                                .optional()
                                .map(YamlNode::decimal)
                                .orElse(1.0)
                        * 1_000)
                : 1_000;
        return new Quota(amount(queue.at("deserved" + what), scale), amount(queue.at("limit" + what), scale), weight);
    }

    static long amount(YamlNode amount, int scale) {
        return amount.optional()
                .filter(value -> !value.textOr("").equals("unlimited"))
                .map(value -> Math.round(value.decimal() * scale))
                .orElse(Quota.UNLIMITED);
    }
}
