// Conform shows that this module keeps the contract: it runs vectors and scripts as spec/conformance.md says.
//
//	conform vectors DIR
//	conform script FILE [--files DIR]
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"bloomery/internal/conform"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, complaints io.Writer) int {
	cannot := func(err error) int {
		fmt.Fprintln(complaints, "conform:", err)
		return 2
	}
	switch {
	case len(args) == 2 && args[0] == "vectors":
		ok, err := conform.RunVectors(args[1], out)
		if err != nil {
			return cannot(err)
		}
		if !ok {
			return 1
		}
		return 0
	case len(args) == 2 && args[0] == "script", len(args) == 4 && args[0] == "script" && args[2] == "--files":
		script, err := os.Open(args[1])
		if err != nil {
			return cannot(err)
		}
		defer script.Close()
		dir := ""
		if len(args) == 4 {
			dir = args[3]
		}
		if err := conform.RunScript(script, out, dir); err != nil {
			return cannot(err)
		}
		return 0
	}
	return cannot(errors.New("usage: conform vectors DIR | conform script FILE [--files DIR]"))
}
