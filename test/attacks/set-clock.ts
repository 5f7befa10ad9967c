/** Loaded into a server with `--import`: sets its clock off by the milliseconds in `CLOCK_OFF_BY`. */
const OFF_BY = Number(process.env.CLOCK_OFF_BY)
const SystemDate = Date

class ShiftedDate extends SystemDate {
  constructor(...parts: [] | [number | string | Date]) {
    super(parts.length === 0 ? ShiftedDate.now() : parts[0])
  }

  static override now(): number {
    return SystemDate.now() + OFF_BY
  }
}

globalThis.Date = ShiftedDate as DateConstructor
