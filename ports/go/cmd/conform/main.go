// Conform shows that this module keeps the contract: it runs vectors and scripts as spec/conformance.md says.
//
//	conform vectors DIR
//	conform script FILE [--files DIR]
package main

import (
	"fmt"
	"os"

	"bloomery/internal/conform"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	switch {
	case len(args) == 2 && args[0] == "vectors":
		ok, err := conform.RunVectors(args[1], os.Stdout)
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
		if err := conform.RunScript(script, os.Stdout, dir); err != nil {
			return cannot(err)
		}
		return 0
	}
	return cannot(fmt.Errorf("usage: conform vectors DIR | conform script FILE [--files DIR]"))
}

func cannot(err error) int {
	fmt.Fprintln(os.Stderr, "conform:", err)
	return 2
}
