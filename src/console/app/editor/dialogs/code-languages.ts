/** The languages of code that people use most, by the names that code blocks have. Others can be typed. */
export const LANGUAGES = (
  'bash c clojure cmake cpp csharp css csv dart diff docker elixir elm erlang fish fsharp go graphql groovy haskell hcl ' +
  'html http ini java javascript json json5 jsonc jsx julia kotlin latex less lua make markdown matlab mermaid nginx nix ' +
  'objective-c ocaml perl php plaintext powershell prisma proto python r regex ruby rust sass scala scss shell solidity ' +
  'sql svelte swift terraform toml tsx typescript vb vim vue wasm xml yaml zig'
).split(' ')
