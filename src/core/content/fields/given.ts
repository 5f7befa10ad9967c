/** The named fields of a value that are not undefined. */
export function given<T extends object, K extends keyof T>(
  value: T,
  names: readonly K[],
): { [P in K]?: Exclude<T[P], undefined> } {
  return Object.fromEntries(
    names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  ) as never
}
