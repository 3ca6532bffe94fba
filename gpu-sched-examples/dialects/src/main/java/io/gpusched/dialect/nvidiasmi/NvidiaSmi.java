package io.gpusched.dialect.nvidiasmi;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the GPUs of a machine from what {@code nvidia-smi} prints there. Pure: text in, values out. */
public final class NvidiaSmi {
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,9}) MiB");
    private static final String VENDOR = "nvidia";

    private NvidiaSmi() {}

    /**
     * Adds the GPUs of {@code nvidia-smi -q -x} and the links of {@code nvidia-smi topo -m} to a node.
     *
     * @param node a builder without GPUs
     * @param xml the output of {@code nvidia-smi -q -x}; GPUs stand in the order of their indexes
     * @param matrix the output of {@code nvidia-smi topo -m}
     * @throws NvidiaSmiException if either cannot be read, or they are of different numbers of GPUs
     */
    public static Node.Builder read(Node.Builder node, String xml, String matrix) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(matrix, "matrix");
        List<Gpu> gpus = gpus(xml);
        TopologyMatrix topology = TopologyMatrix.parse(matrix);
        if (topology.links().gpuCount() != gpus.size()) {
            throw new NvidiaSmiException(
                    1,
                    "the matrix has " + topology.links().gpuCount() + " gpus, but nvidia-smi -q -x lists "
                            + gpus.size());
        }
        for (Gpu gpu : gpus) {
            node.gpu(gpu.withNumaNode(topology.numaNodes().get(gpu.index())));
        }
        return node.links(topology.links());
    }

    /**
     * Returns the GPUs of {@code nvidia-smi -q -x}, in their order, with UUID, product name and total framebuffer memory.
     * A GPU in MIG mode counts as unhealthy: it can be had neither whole nor in shares.
     *
     * @throws NvidiaSmiException if it is not XML, or a GPU lacks one of these
     */
    public static List<Gpu> gpus(String xml) {
        Objects.requireNonNull(xml, "xml");
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
            return new Log(reader).gpus();
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNumber();
            throw new NvidiaSmiException(line, "must be XML of nvidia-smi -q -x: " + e.getMessage());
        }
    }

    /** The texts of one GPU after the other, by the path of their elements. */
    private static final class Log {
        private static final String GPU = "nvidia_smi_log/gpu";

        private final XMLStreamReader reader;
        private final Deque<String> path = new ArrayDeque<>();
        private final Map<String, String> texts = new HashMap<>();
        private final List<Gpu> gpus = new ArrayList<>();
        private int line;

        Log(XMLStreamReader reader) {
            this.reader = reader;
        }

        List<Gpu> gpus() throws XMLStreamException {
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    path.addLast(reader.getLocalName());
                    if (at().equals(GPU)) {
                        texts.clear();
                        line = reader.getLocation().getLineNumber();
                    }
                } else if (event == XMLStreamConstants.CHARACTERS) {
                    texts.merge(at(), reader.getText(), String::concat);
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    if (at().equals(GPU)) {
                        gpus.add(gpu());
                    }
                    path.removeLast();
                }
            }
            return gpus;
        }

        private String at() {
            return String.join("/", path);
        }

        private Gpu gpu() {
            Matcher memory = MEMORY.matcher(need("fb_memory_usage/total"));
            if (!memory.matches()) {
                throw new NvidiaSmiException(
                        line,
                        "the total of fb_memory_usage must be in MiB, got \"" + need("fb_memory_usage/total") + "\"");
            }
            GpuModel model = GpuModel.of(VENDOR, need("product_name"), Long.parseLong(memory.group(1)));
            boolean isCut = "Enabled"
                    .equals(texts.getOrDefault(GPU + "/mig_mode/current_mig", "")
                            .strip());
            return Gpu.of(gpus.size(), need("uuid"), model).withHealthy(!isCut);
        }

        private String need(String name) {
            String text = texts.getOrDefault(GPU + "/" + name, "").strip();
            if (text.isEmpty()) {
                throw new NvidiaSmiException(line, "gpu " + gpus.size() + " must have " + name);
            }
            return text;
        }
    }
}
