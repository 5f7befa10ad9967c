/** Gives memory back when nobody is served: V8 collects garbage while it allocates, and a server at rest does not. */
import { getHeapStatistics } from 'node:v8'

const CHECK_MS = 5_000
/** A server that computes for less than this share of the time is at rest. */
const AT_REST = 0.02
/** So many checks in a row must find it at rest. */
const RESTED = 2
/** A heap that has grown by less since the last collection is left alone: to look at all of it takes a tenth of a second. */
const GROWN_BYTES = 64 * 1024 * 1024

/** The functions that measure the heap and collect its garbage. */
export interface HeapControl {
  /** Collects all garbage. Absent in a process that was started without `--expose-gc`. */
  collect: (() => void) | undefined
  /** The bytes of the heap, with garbage. */
  heapSize(): number
  /** The share of the time since the last call in which the event loop was busy, from 0 to 1. */
  utilization(): number
}

/**
 * Collects the garbage of this process each time it comes to rest after its heap has grown.
 * @returns what stops that
 */
export function collectAtRest(control: HeapControl = ownHeap(), checkMs = CHECK_MS): () => void {
  const { collect, heapSize, utilization } = control
  if (!collect) return () => undefined
  let rested = 0
  // The garbage of the start is the first that goes.
  let smallest = -GROWN_BYTES
  const timer = setInterval(() => {
    rested = utilization() < AT_REST ? rested + 1 : 0
    const size = heapSize()
    smallest = Math.min(smallest, size)
    if (rested < RESTED || size < smallest + GROWN_BYTES) return
    collect()
    smallest = heapSize()
    rested = 0
  }, checkMs)
  timer.unref()
  return () => clearInterval(timer)
}

function ownHeap(): HeapControl {
  let before = performance.eventLoopUtilization()
  const { gc } = globalThis as { gc?: (options: object) => void }
  return {
    // Other collections put the memory that they free in a pool of V8, which keeps it.
    collect: gc && (() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })),
    heapSize: () => {
      const { total_heap_size: heap, external_memory: external } = getHeapStatistics()
      return heap + external
    },
    utilization: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  }
}
