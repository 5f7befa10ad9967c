import type { ReactNode } from 'react'

/** Names with their values. */
export function Values({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <table className="values">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
