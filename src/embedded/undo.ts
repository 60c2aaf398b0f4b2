/** What was started, to be stopped in the opposite order; one that fails to stop does not keep the others. */
export class Undo {
  private steps: (() => Promise<void> | void)[] = [];

  later(step: () => Promise<void> | void): void {
    this.steps.push(step);
  }

  async all(): Promise<void> {
    const steps = this.steps.reverse();
    this.steps = [];
    for (const step of steps) {
      try {
        await step();
      } catch {
        // It is going away either way.
      }
    }
  }
}
