package io.gpusched.cli;

import io.gpusched.dialect.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads queues from YAML, with the fields of the {@code Queue} of deploy/queues:
 *
 * <pre>
 * queues:
 * - name: research
 *   parent: company
 *   priority: 1
 *   resources:
 *     gpu: {deserved: 64, limit: 128, overQuotaWeight: 2}
 * </pre>
 *
 * <p>Amounts of {@code gpu} and {@code gpu/MODEL} are whole devices, those of {@code cpu} cores and of {@code memory} bytes. Of gpu, cpu and
 * memory a queue deserves nothing where nothing is said; a limit that is not said does not exist, and the weight is 1.
 */
final class QueueFile {
    private static final Quota NOTHING_DESERVED = new Quota(0, Quota.UNLIMITED, 1_000);
    private static final String OF_MODEL = "gpu/";

    private QueueFile() {}

    /**
     * Returns the queues of a file.
     *
     * @throws io.gpusched.manifests.yaml.InputException if it is not as it must be; the message names the line and the field
     */
    static QueueTree read(Path file) {
        YamlNode root = YamlReader.read(file).get(0);
        YamlNode list = root.only("queues").need("queues");
        List<JobQueue> queues = new ArrayList<>();
        for (YamlNode one : list.list()) {
            queues.add(queue(one, queues.size()));
        }
        if (queues.isEmpty()) {
            throw list.error("must hold at least one queue");
        }
        return list.build(() -> QueueTree.of(queues));
    }

    private static JobQueue queue(YamlNode node, int index) {
        node.only("name", "parent", "priority", "resources");
        JobQueue.Builder queue = JobQueue.builder(node.need("name").text())
                .priority(node.at("priority").integerOr(0))
                .created(index)
                .quota(QueueResource.GPU, NOTHING_DESERVED)
                .quota(QueueResource.CPU, NOTHING_DESERVED)
                .quota(QueueResource.MEMORY, NOTHING_DESERVED);
        node.at("parent").optional().ifPresent(parent -> queue.parent(parent.text()));
        for (Map.Entry<String, YamlNode> entry : node.at("resources").map().entrySet()) {
            QueueResource resource = resource(entry.getKey());
            queue.quota(resource, entry.getValue().build(() -> quota(entry.getValue(), resource)));
        }
        return node.build(queue::build);
    }

    private static QueueResource resource(String name) {
        if (name.startsWith(OF_MODEL) && name.length() > OF_MODEL.length()) {
            return QueueResource.gpuModel(name.substring(OF_MODEL.length()));
        }
        return switch (name) {
            case "gpu" -> QueueResource.GPU;
            case "cpu" -> QueueResource.CPU;
            case "memory" -> QueueResource.MEMORY;
            default -> QueueResource.named(name);
        };
    }

    private static Quota quota(YamlNode node, QueueResource resource) {
        node.only("deserved", "limit", "overQuotaWeight");
        BigDecimal weight =
                Quantity.parse(node.at("overQuotaWeight").textOr("1")).value();
        return new Quota(
                amount(node.at("deserved"), resource, 0),
                amount(node.at("limit"), resource, Quota.UNLIMITED),
                weight.movePointRight(3).longValue());
    }

    private static long amount(YamlNode node, QueueResource resource, long absent) {
        if (!node.isPresent()) {
            return absent;
        }
        if (node.text().startsWith("-")) {
            return Quota.UNLIMITED;
        }
        Quantity amount = Quantity.parse(node.text());
        return switch (resource.kind()) {
            case GPU, GPU_MODEL, CPU -> amount.millis();
            case MEMORY -> amount.mibFloor();
            case NAMED -> amount.wholeNumber();
        };
    }
}
