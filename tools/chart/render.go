// Renders a chart without Helm: text/template and sprig are the libraries that Helm renders with, and Debian has both.
// try.ts runs it: `go run render.go CHART VALUES`, with VALUES as JSON. It prints the manifests, and then the notes.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(chart string, values string) error {
	var data map[string]any
	if err := json.Unmarshal([]byte(values), &data); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, scope any) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, scope)
			return text.String(), err
		},
		"required": func(message string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf("%s", message)
			}
			return value, nil
		},
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, ending := range []string{".yaml", ".txt"} {
		for _, file := range files {
			if filepath.Ext(file) != ending {
				continue
			}
			fmt.Printf("---\n# %s\n", filepath.Base(file))
			if err := all.ExecuteTemplate(os.Stdout, filepath.Base(file), data); err != nil {
				return err
			}
		}
	}
	return nil
}
