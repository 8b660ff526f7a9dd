"""A reproduction in Java: one file that needs nothing but Lucene's jars on the class path."""

from dataclasses import dataclass
from pathlib import Path
from string import Template

from cases.lucene.real.class_path import command
from harness.account import Program
from harness.installation import Installation

NAME = "Repro.java"

BODY = Template("""\
$imports

/**
 * $about
 *
 * Run it with Java 11 or newer: java -cp $jars $name
 * The last line and the exit status say what was seen: DEFECT PRESENT (1), OK (0) or COULD NOT RUN (2).
 */
public class Repro {
    static final List<Double> DOCUMENTED = List.of($documented);

    static List<Double> control() throws Exception {
        return $control;
    }

    static List<Double> observed() throws Exception {
        return $observed;
    }

$methods
    static boolean isRight() throws Exception {
        Path jar = Path.of($subject.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String version = $subject.class.getPackage().getImplementationVersion(); // null if no manifest tells it
        String told = version == null ? "" : " (manifest: " + version.split(" ")[0] + ")";
        System.out.println("$subject of " + jar.getFileName() + told + ", Java " + System.getProperty("java.version"));
        if (!control().equals(List.of($control_value))) {
            throw new IllegalStateException("the control does not hold: $holds");
        }
        List<Double> observed = observed();
        System.out.println("input:      $input");
        System.out.println("documented: " + DOCUMENTED);
        System.out.println("observed:   " + observed);
        boolean isRight = observed.size() == DOCUMENTED.size();
        for (int i = 0; isRight && i < observed.size(); i++) {
            isRight = Math.abs(observed.get(i) - DOCUMENTED.get(i)) <= 1e-12;
        }
        return isRight;
    }

    public static void main(String[] arguments) {
        int status = 2;
        try {
            status = isRight() ? 0 : 1;
        } catch (Throwable error) { // a program that fails shows nothing about Lucene
            error.printStackTrace(System.out);
        }
        System.out.println(List.of("OK", "DEFECT PRESENT", "COULD NOT RUN").get(status));
        System.exit(status);
    }
}
""")


@dataclass(frozen=True, slots=True)
class Call:
    """What one program does with Lucene, as Java source; its values are lists of doubles.

    Attributes
    ----------
    subject
        The class that it is about.
    about, input
        What it shows, in a sentence; the input in a few words.
    imports
        The classes that it uses.
    methods
        Its own methods, indented.
    observed, documented
        An expression; the numbers that it should give.
    control, control_value, holds
        An expression whose numbers are known, those numbers, and what they show.
    parts
        The jars that it needs, such as ``benchmark``.
    """

    subject: str
    about: str
    input: str
    imports: tuple[str, ...]
    methods: str
    observed: str
    documented: tuple[float, ...]
    control: str
    control_value: tuple[float, ...]
    holds: str
    parts: tuple[str, ...] = ("benchmark",)

    def program(self) -> Program:
        """Return the program."""
        jars = ":".join(f"lucene-{part}-8.8.1.jar" for part in self.parts)
        source = BODY.substitute(
            imports="\n".join(f"import {name};" for name in sorted({*self.imports, *OF_ALL})),
            about=self.about,
            jars=jars,
            name=NAME,
            subject=self.subject,
            documented=numbers(self.documented),
            control=self.control,
            control_value=numbers(self.control_value),
            holds=self.holds,
            observed=self.observed,
            methods=self.methods,
            input=self.input,
        )
        return Program(NAME, source, f"java -cp {jars} {NAME}", _run)


OF_ALL = ("java.nio.file.Path", "java.util.List")


def numbers(values: tuple[float, ...]) -> str:
    """Return doubles as the arguments of a Java call."""
    return ", ".join(f"{float(value)!r}" for value in values)


def _run(installation: Installation, path: Path) -> list[str]:
    return command(installation, str(path))
